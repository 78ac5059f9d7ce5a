"""The rulebook of Suppression Fire in our own words, clause by clause."""

from engine.ruleset import Clause

CLAUSES: tuple[Clause, ...] = (
    # Turn
    Clause(
        number="SF-1",
        chapter="Turn",
        title="Player turns",
        text=(
            "A game turn is one player turn for each side, taken alternately. "
            "A player turn runs through movement, shooting and assault, always in that order. "
            "No phase may be jumped over, but the turn may be ended in any of them. "
            "A unit acts only in its own side's turn. "
            "It moves, embarks and disembarks in movement; runs, shoots and fires from a vehicle in shooting; "
            "and assaults in assault. "
            "Any other action may come in any phase. "
            "Anything not forbidden here is allowed, and the rest of the game is left to the players. "
            "If more than one clause stands against an order, the refusal may name any of them."
        ),
    ),
    Clause(
        number="SF-2",
        chapter="Turn",
        title="How long it lasts",
        text=(
            "Suppression begins when it is declared and lasts until the target's next player turn is over. "
            "Being pinned by it lasts just as long. "
            "When a side ends its turn, all its pinned units are freed, whatever pinned them. "
            "Every other mark set by hand stays until somebody takes it off by hand."
        ),
    ),
    # Who may suppress, with what
    Clause(
        number="SF-3",
        chapter="Who may suppress, with what",
        title="Five shots or more",
        text=(
            "A unit may suppress if the guns it contributes put out at least five shots. "
            "Shots are how many times those guns fire at the target. "
            "Ballistic skill plays no part."
        ),
    ),
    Clause(
        number="SF-4",
        chapter="Who may suppress, with what",
        title="Instead of shooting",
        text=(
            "A unit declares suppression in its own shooting phase, and this takes the place of its shooting. "
            "A unit that has already fired this turn may not suppress, and one that has suppressed may not fire. "
            "It has one target a turn: its guns cannot be shared out between two. "
            "It declares once a turn; a second declaration is refused, even against the same target."
        ),
    ),
    Clause(
        number="SF-5",
        chapter="Who may suppress, with what",
        title="Range and sight",
        text=(
            "Every gun that contributes must be in range of the target and see it. "
            "Type the range in inches, unless the app has it already, and say whether the unit sees its target; "
            "a single gun may be given a range and a line of sight of its own. "
            "If guns are named one by one, all of them must be able to fire; "
            "otherwise the order is refused with the clause that stops the gun. "
            "If none are named, every gun that can fire does. "
            "If then not one of them can, the order is refused with the clause that stops the guns, or with SF-3."
        ),
    ),
    Clause(
        number="SF-6",
        chapter="Who may suppress, with what",
        title="Unfit to suppress",
        text=(
            "A unit that ran this turn may not suppress. "
            "Nor may a unit that is pinned, gone to ground, falling back or locked in combat. "
            "Nor may a vehicle that is stunned or shaken."
        ),
    ),
    Clause(
        number="SF-7",
        chapter="Who may suppress, with what",
        title="After moving",
        text=(
            "A unit that moved this turn may not suppress with heavy or rapid-fire guns. "
            "Its assault guns still may. "
            "Relentless models count as not having moved. "
            "Switch moved_rapid_fire: never (default): rapid-fire guns of a unit that moved do not count; "
            'within_12: they count with 2 shots each at 12" or less.'
        ),
    ),
    Clause(
        number="SF-8",
        chapter="Who may suppress, with what",
        title="Guns that never may",
        text=(
            "Some guns never suppress: blast, template, Heavy 1, pistol, Gets Hot and ordnance. "
            "Every gun that is turned down is shown with its reason. "
            "Switch pistols: banned (default): pistols may not suppress; allowed: they may."
        ),
    ),
    Clause(
        number="SF-9",
        chapter="Who may suppress, with what",
        title="Counting shots",
        text=(
            "A model fires one weapon. "
            "Assault N, Heavy N (Heavy 2 and up) and Pistol N (where pistols are allowed) give N shots a model. "
            "Rapid fire gives 2 shots at 12\" or less, and 1 from there up to the gun's range. "
            "Twin-linked changes nothing. "
            "Where N is a die (D3 or D6), roll it when you declare, once per line of the contribution: "
            "all models on that line use the result, and it does not change afterwards. "
            "Should this leave fewer than five shots, the attempt is still recorded: "
            "the unit has used up its shooting, but it is not effective. "
            "The declaration is refused (SF-3) only if even the highest faces could not make five."
        ),
    ),
    Clause(
        number="SF-10",
        chapter="Who may suppress, with what",
        title="Grenades as guns",
        text=(
            "Models with assault or defensive grenades may suppress with them. "
            'For suppression only, the grenades are a gun with range 6", Strength 4, AP5, Assault 2, '
            "of the gun type grenade. "
            "Krak, melta and haywire grenades do not serve, being neither assault nor defensive."
        ),
    ),
    Clause(
        number="SF-11",
        chapter="Who may suppress, with what",
        title="Choosing the guns",
        text=(
            "A player may contribute only some of a unit's weapons, "
            "for instance to keep the weaker guns from setting the profile of the hits. "
            "What is contributed is settled at the declaration and stays so."
        ),
    ),
    Clause(
        number="SF-12",
        chapter="Who may suppress, with what",
        title="Suppressing from a vehicle",
        text=(
            "Passengers may suppress only as far as they could shoot. "
            "From an open-topped vehicle all of them may. "
            "From a closed vehicle as many models may as it has fire points, counted for each unit by itself; "
            "more than that, or any where it has no fire points, is refused. "
            "From a vehicle that is shaken or stunned nobody may. "
            "All this holds for firing from the vehicle too. "
            "For SF-7 passengers count as having moved if their vehicle has."
        ),
    ),
    # Targets
    Clause(
        number="SF-13",
        chapter="Targets",
        title="What may be targeted",
        text=(
            "Any enemy unit may be the target, also a transport (SF-33). "
            "A unit locked in combat may not. "
            "Nor may a vehicle that is no transport, because suppression could do nothing to it. "
            "Nor may passengers: target the vehicle that carries them instead. "
            "Each of these is refused with its reason."
        ),
    ),
    # Declaration and test
    Clause(
        number="SF-14",
        chapter="Declaration and test",
        title="Crossfire on one target",
        text=(
            "Several units may suppress the same target; this is crossfire. "
            "They may be declared one after another or together. "
            "After that the target takes its test, once. "
            "The order is: all declarations against the target, then shrapnel (SF-29), then the test."
        ),
    ),
    Clause(
        number="SF-15",
        chapter="Declaration and test",
        title="The Leadership test",
        text=(
            "Roll 2D6 against the highest Leadership in the target unit, "
            "lowered by 1 for each suppressing unit after the first, but never by more than 4. "
            "Equal or lower is a pass: in its own turn the unit may choose to stay still or to brave the fire. "
            "Higher is a fail: the unit is pinned. "
            "Only effective suppressors (SF-32) count, here and for shrapnel and the hits. "
            "If none is left, the test is not needed. "
            "Switch double_one_passes: no (default): a double 1 is compared like any other roll; "
            "yes: a double 1 always passes."
        ),
    ),
    Clause(
        number="SF-16",
        chapter="Declaration and test",
        title="One test a turn",
        text=(
            "A target takes one suppression test in a player turn, however many units suppress it. "
            "A unit that joins in after the test makes the target easier to hit (SF-22), "
            "but causes no further test and no shrapnel. "
            "A test that turned out to be unnecessary counts as the one for that turn. "
            "Passengers have a test of their own (SF-34); every suppressor declared before it counts. "
            "Where a special rule grants it, the test may be rerolled once, right after it was taken."
        ),
    ),
    Clause(
        number="SF-17",
        chapter="Declaration and test",
        title="Who does not roll",
        text=(
            "Fearless units, units that are never pinned, and monstrous creatures pass automatically. "
            "Acting under fire still gets them hit. "
            "A unit pinned or gone to ground beforehand does not test and stays as it is. "
            "A vehicle takes no test either (SF-33). "
            "Shrapnel falls on every target but vehicles, whether it tests or not."
        ),
    ),
    Clause(
        number="SF-18",
        chapter="Declaration and test",
        title="Being pinned",
        text=(
            "Until its own next player turn is over (SF-2), a pinned unit may take no action at all. "
            "It may not move, run, shoot, assault, suppress, embark or disembark. "
            "It is not freed if it loses all its suppressors in the meantime. "
            "If it is attacked, it counts as gone to ground. "
            "A unit marked as gone to ground is bound in the same way."
        ),
    ),
    Clause(
        number="SF-19",
        chapter="Declaration and test",
        title="No test left open",
        text=(
            "While a declared target has still to test, the shooting phase cannot end, nor can the turn in it. "
            "The refusal names the target. "
            "A vehicle is never in the way, since its test is not needed (SF-33)."
        ),
    ),
    # Acting under fire
    Clause(
        number="SF-20",
        chapter="Acting under fire",
        title="What exposes a unit",
        text=(
            "These expose a unit in its own turn: moving, running, shooting, assaulting, embarking, disembarking, "
            "firing from a vehicle, and anything else its player calls an action. "
            "These do not: staying put, rolling saves or morale tests, having to fall back, "
            "and fighting on in a combat it was already part of. "
            "Suppressing never exposes, suppressing back (SF-37) included. "
            "A unit on foot is exposed to the fire aimed at itself. "
            "Passengers who leave or shoot are exposed to the fire aimed at their vehicle. "
            "Neither is exposed to any other fire."
        ),
    ),
    Clause(
        number="SF-21",
        chapter="Acting under fire",
        title="The hits",
        text=(
            "The hits come the first time a unit does something exposing while one or more suppressors are effective, "
            "and they come before it acts. "
            "Roll one D6 for each of its models: each roll that reaches the number of SF-22 strikes a model. "
            "With that, and only with that, the suppression is spent: whatever the unit does later that turn is free. "
            "With no effective suppressor just then, the unit acts freely and the suppression is not spent."
        ),
    ),
    Clause(
        number="SF-22",
        chapter="Acting under fire",
        title="Number to be hit",
        text=(
            "With one effective suppressor a model is struck on a 6. "
            "Each further one lowers the number by one: 5+ with two, 4+ with three, 3+ with four, 2+ with five. "
            "It never gets lower than 2+."
        ),
    ),
    Clause(
        number="SF-23",
        chapter="Acting under fire",
        title="Which gun hits",
        text=(
            "Add up the shots of each gun type over all effective contributions: the largest total sets the profile. "
            "Guns that share their ammunition belong to one gun type, as boltguns and bolt pistols do. "
            "Within the type, the profile with the most shots is used; "
            "a profile is Strength and AP, whatever the gun is called. "
            "Where two or more are equal, the owner of the target picks, before any die is rolled. "
            "The app asks, and never picks for them."
        ),
    ),
    Clause(
        number="SF-24",
        chapter="Acting under fire",
        title="To wound",
        text=(
            "For each hit roll a D6: it wounds on 4 plus the target's Toughness minus the hit's Strength, or more. "
            "The number needed is never below 2 and never above 6. "
            "Where Toughness is higher than Strength by 4 or more, the hit cannot wound. "
            "The Toughness is that of the majority of the unit's models; in a tie, the higher."
        ),
    ),
    Clause(
        number="SF-25",
        chapter="Acting under fire",
        title="Saves against hits",
        text=(
            "Cover gives no save. "
            "An armour save is allowed if the hit has no AP, or an AP that is a higher (worse) number than the save. "
            "An invulnerable save is always allowed. "
            "The better of the saves allowed is rolled. "
            "Then comes feel no pain, if the unit has it, but not against AP1, AP2 or instant death."
        ),
    ),
    Clause(
        number="SF-26",
        chapter="Acting under fire",
        title="Instant death",
        text=(
            "A hit whose Strength is at least twice the Toughness of the model's own group "
            "kills a model of several wounds outright, unless it is an eternal warrior. "
            "Unhurt models fall first, the hurt one last. "
            "Hits as strong as that deny feel no pain to models of one wound as well."
        ),
    ),
    Clause(
        number="SF-27",
        chapter="Acting under fire",
        title="Sharing out wounds",
        text=(
            "In a group of models with several wounds each, unsaved wounds take whole models away first. "
            "If the unit has unlike groups, its owner shares the wounds out: "
            "every model gets one before any gets a second. "
            "If the last round does not reach every model, the owner decides how many wounds fall to each group. "
            "Unless the owner says otherwise, the dice follow the groups as listed: "
            "one wound per model in the first group, one per model in the second and so on, then back to the first. "
            "Finish all the saves before any feel no pain. "
            "A group can lose no more than its models; wounds left over are lost."
        ),
    ),
    Clause(
        number="SF-28",
        chapter="Acting under fire",
        title="After the hits",
        text=(
            "The survivors go on with the action. "
            "If there are none, the unit comes off the table without acting. "
            "A unit is out of play when its last model is gone, "
            "a vehicle, which may have no guns at all, only when it is destroyed. "
            "From that moment nothing suppresses it any more, whether it has tested or not. "
            "Passengers of such a vehicle find themselves on foot, which does not count as an action."
        ),
    ),
    # Shrapnel
    Clause(
        number="SF-29",
        chapter="Shrapnel",
        title="When shrapnel falls",
        text=(
            "If a contributing gun has a Strength of at least twice the target's majority Toughness, "
            "the target suffers D3 wounds. "
            "This happens once per target in a turn, before the test. "
            "Switch shrapnel: any_gun (default): any one contributing gun that is strong enough will do; "
            "majority_gun: the profile found by SF-23 must be strong enough, and in a tie every tied one; "
            "per_unit: D3 wounds for each suppressor with such a gun, with every D3 rolled before any save; "
            "off: there is no shrapnel."
        ),
    ),
    Clause(
        number="SF-30",
        chapter="Shrapnel",
        title="Saves against shrapnel",
        text=(
            "Shrapnel allows armour saves, invulnerable saves and feel no pain, feel no pain whatever the AP. "
            "It allows no cover saves and never causes instant death. "
            "Passengers of an open-topped vehicle suffer it before their own test (SF-34, SF-35). "
            "Passengers of a closed vehicle suffer it if they fire, as under an open top (SF-36), "
            "but not if they get out. "
            "Switch shrapnel_armour: always (default): armour saves are allowed whatever the AP; "
            "by_ap: only if the AP allows them, taking the best AP of the guns that are strong enough."
        ),
    ),
    Clause(
        number="SF-31",
        chapter="Shrapnel",
        title="Survivors take the test",
        text="The test of SF-15 comes after shrapnel and uses the Leadership of the survivors.",
    ),
    # Losing the right to suppress
    Clause(
        number="SF-32",
        chapter="Losing the right to suppress",
        title="Effective or lapsed",
        text=(
            "To be effective, a suppressor needs five shots or more from the contributors it has left, "
            "must see the target, and must not be pinned, gone to ground or falling back "
            "(nor, as in SF-6, locked in combat, stunned or shaken). "
            "Models that did not contribute cannot replace those that are lost. "
            "The app checks this after every change, and again whenever a target exposes itself. "
            "The players turn line of sight on and off for each suppressor and target, "
            "say when a tank drives between them. "
            "A suppressor that moves, runs, shoots, assaults, embarks or disembarks no longer counts, for good. "
            "Every lapse is shown with its reason; one for want of sight, or because of a mark, ends when that does. "
            "When models fall, those that do not contribute go first, unless the owner says otherwise. "
            "If one group contributes in several lines, the line declared last loses first."
        ),
    ),
    # Transports
    Clause(
        number="SF-33",
        chapter="Transports",
        title="Suppressing a transport",
        text=(
            "The vehicle itself is not affected when a transport is suppressed. "
            "Its passengers are, once they get out or fire. "
            "The vehicle's own test is not needed."
        ),
    ),
    Clause(
        number="SF-34",
        chapter="Transports",
        title="Getting out under fire",
        text=(
            "When a unit disembarks from a suppressed transport, suppressors that cannot see it where it gets out "
            "do not count, neither for the test's modifier nor for the hits. "
            "The unit then takes the test of SF-15, once a turn. "
            "If it fails, it stays inside and does nothing more this turn; "
            "it is not shown as pinned, but its orders are refused with this clause. "
            "If it passes, it is hit as in SF-21, outside, and goes on. "
            "No passenger unit is tested or hit more than once. "
            "As soon as one of them has been hit, the suppression is shown as spent."
        ),
    ),
    Clause(
        number="SF-35",
        chapter="Transports",
        title="Firing from an open top",
        text=(
            "Passengers that fire from a suppressed open-topped vehicle take the test and are then hit, "
            "as if they stood outside. "
            "If they fail the test, they neither fire nor do anything else this turn, as in SF-34."
        ),
    ),
    Clause(
        number="SF-36",
        chapter="Transports",
        title="Firing through ports",
        text=(
            "Passengers that fire through the fire ports of a suppressed closed vehicle are met as under an open top: "
            "shrapnel, the test and the hits of SF-35. "
            "Only suppressors that see the port used count, and the vehicle may block the view of its own ports. "
            "Switch port_rolls: whole_unit (default): a die is rolled for every model of the unit; "
            "firing_models: as many dice are rolled as models fire, and the wounds are shared out in the whole unit."
        ),
    ),
    # Mutual suppression
    Clause(
        number="SF-37",
        chapter="Mutual suppression",
        title="Suppressing back",
        text=(
            "In its own shooting phase a unit may suppress an enemy although it is under fire itself, "
            "if it passed its test and has not acted; this does not expose it. "
            "Two units may suppress each other, and longer chains are legal too. "
            "While a vehicle is under effective suppression, nobody may suppress from inside it, "
            "because passengers have no passed test."
        ),
    ),
)
