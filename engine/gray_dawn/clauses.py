"""The rulebook of Gray Dawn in our own words, clause by clause."""

from engine.ruleset import Clause

CLAUSES: tuple[Clause, ...] = (
    # Dice
    Clause(
        number="GD-1",
        chapter="Dice",
        title="Checks",
        text=(
            "To make a check, add a stat, a skill, whatever modifiers there are, and one d10. "
            "The check succeeds if the total is its number or more. "
            "Anything not forbidden here is allowed. "
            "If more than one clause stands against an order, the refusal may name any of them."
        ),
    ),
    Clause(
        number="GD-2",
        chapter="Dice",
        title="Exploding dice",
        text=(
            "The d10 of a check explodes in both directions. "
            "On a natural 10 another d10 is rolled and added, and so on for every further 10. "
            "A natural 1 on the first die counts nothing; another d10 is rolled and subtracted, "
            "and so on for as long as that die shows 10. "
            "So a base of 11 with dice 1, 10 and 4 comes to 11 - 10 - 4 = -3. "
            "Dice of one such roll are typed one after the other, and 0 stands for 10. "
            "Initiative, hit location and damage never explode. "
            "Switch explode_down: yes (default), as above; no: a natural 1 simply counts 1."
        ),
    ),
    Clause(
        number="GD-3",
        chapter="Dice",
        title="Blended stats",
        text="Two stats that are blended are added and halved; a half is rounded up.",
    ),
    # The round
    Clause(
        number="GD-4",
        chapter="The round",
        title="Initiative",
        text=(
            "When a round begins, every combatant in action rolls a plain d10 and adds REF: that is its initiative, "
            "and the highest goes first. "
            "The order is shown, but nobody is kept to it. "
            "A lightning strike, announced as the round begins, adds 3 to the initiative and costs 3 on "
            "everything that "
            "combatant rolls in the round: checks, defence, getting through lanes, spotting and sneaking. "
            "Covering fire, checks and actions are only possible while a round is running. "
            "When it ends, these are cleared: who acted, who lays covering fire, who made a check, "
            "lightning strikes, and all lanes. "
            "Whoever is suppressed stays suppressed."
        ),
    ),
    Clause(
        number="GD-5",
        chapter="The round",
        title="Distances",
        text=(
            "One metre is one inch, one hex or one space. "
            "A weapon's listed range is its long range. "
            "Up to a quarter of it is close, up to half is medium, up to all of it is long, and beyond that is extreme."
        ),
    ),
    # Suppression points and the check
    Clause(
        number="GD-6",
        chapter="Suppression points and the check",
        title="Points add up",
        text="A combatant collects suppression points until it makes its next check, whoever laid them.",
    ),
    Clause(
        number="GD-7",
        chapter="Suppression points and the check",
        title="The check",
        text=(
            "A combatant that carries points makes its check on its own initiative, before it picks a stance or acts. "
            "It adds CL, the level of its cover, 1 for each full 5 SP of armour on the torso, and an exploding d10. "
            "It needs 15 plus its points; one who is bracing counts the points twice. "
            "Without points no check is made: nothing is rolled, and it is no longer suppressed. "
            "One check a round is the limit. "
            "Whoever carries points and has made no check this round may not act; "
            "covering fire is excepted (GD-12), and so is crossing a lane, which brings its own check (GD-25). "
            "Switch check_stat: cl (default); cl_int: CL blended with INT. "
            "Switch check_base: 15 (default), or any other number in its place."
        ),
    ),
    Clause(
        number="GD-8",
        chapter="Suppression points and the check",
        title="Suppressed",
        text=(
            "Who passes the check acts freely. "
            "Who fails it is suppressed until its next check. "
            "Covering fire is then its only attack: aimed fire and melee are refused. "
            "Nor may it leave cover: it may not emerge or lean out, and with a cover level of 1 or more "
            "it may neither move nor cross. "
            "Passed or failed, the check uses up the points; those laid later wait for the check after it. "
            "Switch points_last: until_checked (default); end_of_round: the end of a round takes all points away."
        ),
    ),
    Clause(
        number="GD-9",
        chapter="Suppression points and the check",
        title="Stances",
        text=(
            "There are five stances. "
            "Open: nothing special. "
            "Active: leaning out of cover in order to act. "
            "Full cover: covering fire is the only attack, aimed fire and melee are refused. "
            "Moving: on the run. "
            "Bracing: keeping still, so moving, emerging and crossing are refused; no Dodge/Cover skill when "
            "defending, "
            "the points counted twice in a check (GD-7), and ranges one bracket better. "
            "A failed check puts a combatant in full cover if its cover level is 1 or more, else it is moving. "
            "Actions leave the stance as it is, but leaning out makes it active. "
            "A stance is refused where it would get round this: active inside an open saturation lane "
            "(lean out as an action, GD-25), and anything but full cover or moving while suppressed. "
            "The game master may overrule any stance, with a reason, and is never refused."
        ),
    ),
    Clause(
        number="GD-10",
        chapter="Suppression points and the check",
        title="Noticing a flanker",
        text=(
            "Someone suppressed may have to roll to notice an enemy who comes from the side: "
            "INT, Awareness and d10 of the observer against REF, Stealth and d10 of the flanker. "
            "The observer rolls first and notices on a tie too. "
            "Whether it is needed, the players decide; the roll changes nothing by itself."
        ),
    ),
    # Covering fire
    Clause(
        number="GD-11",
        chapter="Covering fire",
        title="It takes the whole round",
        text=(
            "Covering fire goes roughly where somebody is, without aiming. "
            "It takes the shooter's entire round: apart from changing stance it does nothing else. "
            "It cannot be laid after an action in the same round; "
            "an action that a failed check stopped does not count as one. "
            "Lanes of both kinds count as covering fire, here and in GD-8, GD-9 and GD-12 to GD-14."
        ),
    ),
    Clause(
        number="GD-12",
        chapter="Covering fire",
        title="At any moment",
        text=(
            "It may be announced whenever the player likes, whatever the shooter's initiative. "
            "The points land at once. "
            "Those under fire make their check when their own initiative comes."
        ),
    ),
    Clause(
        number="GD-13",
        chapter="Covering fire",
        title="Out to long range",
        text=(
            "Covering fire has effect out to long range. "
            "At extreme range it is refused: there only aimed fire suppresses. "
            "For a bracing shooter ranges are one bracket better, so it reaches to twice the listed range. "
            "How much aimed fire suppresses is left open. "
            "The app asks for the points right after an aimed attack on somebody named, "
            "and the game master may lay points by hand at any time. "
            "Switch aimed_points: 0 (default), or the number that an aimed attack lays on its target without asking."
        ),
    ),
    Clause(
        number="GD-14",
        chapter="Covering fire",
        title="Even when suppressed",
        text="The suppressed may lay covering fire, and so may those in full cover.",
    ),
    Clause(
        number="GD-15",
        chapter="Covering fire",
        title="Defence",
        text=(
            "Nobody rolls to hit. "
            "Instead the target rolls defence: CL and MA blended, Dodge/Cover, and an exploding d10. "
            "A total of 0 or less means that it is hit. "
            "It rolls even if it did not know of the shooter, since the fire is not aimed at it. "
            "Switch defence_stats: cl_ma (default); ref_ma: REF and MA blended instead."
        ),
    ),
    Clause(
        number="GD-16",
        chapter="Covering fire",
        title="Single shots",
        text=(
            "In semi-automatic fire each firing action lays 1 point and takes as many rounds as the weapon's "
            "semi-automatic rate of fire. "
            "The target defends once, however many actions are spent on it, and one round hits at most. "
            "Nothing but ammunition limits the actions: a pistol with rate of fire 2 and 16 rounds makes 8 of them, "
            "which lays 8 points and brings the check to 23. "
            "Switch max_firing_actions: none (default), or the most semi-automatic actions in one order, "
            "all its targets together."
        ),
    ),
    Clause(
        number="GD-17",
        chapter="Covering fire",
        title="Bursts",
        text=(
            "A burst is three rounds and lays 1 point. "
            "The target defends against each burst, and at most one round of each hits."
        ),
    ),
    Clause(
        number="GD-18",
        chapter="Covering fire",
        title="Several targets",
        text=(
            "The actions or bursts of a round may be shared out among several targets, each named once. "
            "Each of them gets its own points and rolls its own defence."
        ),
    ),
    Clause(
        number="GD-19",
        chapter="Covering fire",
        title="Those nearby",
        text=(
            "Combatants one space from a target get the points that the target gets, and roll nothing. "
            "Automatic fire reaches two spaces, measured from the edge of a covering lane; "
            "saturation lanes suppress nobody nearby. "
            "One order gives a combatant points once: if two amounts apply, the larger. "
            "The shooter never gets any, nor does anybody out of action. "
            "If everyone's position is known, one space means at most 1 m along each of the two axes, diagonals "
            "included. "
            "Where neighbours are named, they count as next to every target. "
            "Switch splash_friends: yes (default); no: the shooter's own side gets no points for being near."
        ),
    ),
    Clause(
        number="GD-20",
        chapter="Covering fire",
        title="Ammunition",
        text=(
            "All rounds fired leave the magazine. "
            "An order that needs more than are left is refused, with the number left, and none are spent. "
            "Reloading is an action and fills the magazine."
        ),
    ),
    # Lanes
    Clause(
        number="GD-21",
        chapter="Lanes",
        title="Width",
        text=(
            "Only weapons with automatic fire lay lanes. "
            "A lane is at least 2 m wide and at most 1 m for each 5 of the rate of fire, in steps of half a metre: "
            "6 m with a rate of 30, 5 m with 25. "
            "With a rate under 10 it is exactly 2 m wide."
        ),
    ),
    Clause(
        number="GD-22",
        chapter="Lanes",
        title="Level",
        text=(
            "A lane's level is the rounds fired into it divided by its width in metres, rounded down, but never "
            "below 1: "
            "30 rounds in 2 m make 15. "
            "Unless fewer are named, the weapon's full rate of fire goes into it; more is not possible."
        ),
    ),
    Clause(
        number="GD-23",
        chapter="Lanes",
        title="Covering lanes",
        text=(
            "A covering lane is laid on combatants. "
            "Each one inside gets its level in points and defends once; "
            "on 0 or less it is hit, by as many rounds as the burst table says (GD-29)."
        ),
    ),
    Clause(
        number="GD-24",
        chapter="Lanes",
        title="Saturation lanes",
        text=(
            "A saturation lane is laid on a place, whether anybody is there or not, and lasts until the round ends. "
            "Laying it gives nobody points. "
            "Which of the two kinds a lane is, the shooter says. "
            "A covering lane is over once it is resolved and cannot be crossed; it stays on the list until the "
            "round ends. "
            "One name stands for one kind of lane in a round."
        ),
    ),
    Clause(
        number="GD-25",
        chapter="Lanes",
        title="Crossing",
        text=(
            "It is a crossing to emerge from cover inside an open saturation lane, to move through it, to lean "
            "out in it, "
            "or to do anything in the open in it. "
            "For someone inside, every action is one, unless it stays behind cover of level 1 or more "
            "and only reloads or does something that is none of the other actions. "
            "First comes a suppression check with the level added to the points carried, which it uses up. "
            "It counts as the check of the round, but is made at every crossing, even after one. "
            "If it fails, GD-8 and GD-9 apply, and the action does not happen. "
            "If it is passed, the mover rolls Dodge/Cover (as for defence, GD-15) or Athletics (REF, Athletics, d10), "
            "as its player chooses, against the level. "
            "Less than the level means hits by the burst table; then the action goes on. "
            "One who moves or crosses in this way is no longer inside the lanes it crossed."
        ),
    ),
    Clause(
        number="GD-26",
        chapter="Lanes",
        title="Hits come first",
        text=(
            "The hits of a crossing come before anything that the combatant does. "
            "If they put it out of action, its action is lost; the app asks the game master after each crossing "
            "that is hit. "
            "Otherwise it goes on as if nothing had happened: no initiative is lost beyond that."
        ),
    ),
    Clause(
        number="GD-27",
        chapter="Lanes",
        title="Several lanes",
        text=(
            "Lanes cover the same place if they have one name or are crossed in one action. "
            "Their rounds are added up and divided by their common width: three guns with 30 rounds each in 2 m "
            "make 45. "
            "Where the widths are not all the same, each shooter's own level is worked out, and these are added. "
            "One crossing takes one check and one roll to get through. "
            "The damage is that of the weapon that was laid first among those still firing. "
            "Covering lanes of one name lay the points of each order by itself."
        ),
    ),
    Clause(
        number="GD-28",
        chapter="Lanes",
        title="The shooter taken out",
        text=(
            "A lane whose shooter is out of action before somebody crosses is closed, and stops nobody. "
            "Where several fire into it, only that one's rounds are gone. "
            "Points that were laid already stay."
        ),
    ),
    # Hits
    Clause(
        number="GD-29",
        chapter="Hits",
        title="Burst table",
        text=(
            "Roll 1d6: one round hits on 1 to 3, two on 4 or 5, three on 6. "
            "Switch lane_hits: burst_table (default); 1d6: as many rounds as the die shows."
        ),
    ),
    Clause(
        number="GD-30",
        chapter="Hits",
        title="Damage",
        text=(
            "If the weapon has a damage roll, each round that hits is worked out, else the hits are counted "
            "and the game master enters the wounds. "
            "Location, d10: 1 head, 2 to 4 torso, 5 right arm, 6 left arm, 7 and 8 right leg, 9 and 10 left leg. "
            "Take the SP worn there from the damage. "
            "Cover adds 4 SP for each level: everywhere in full cover, everywhere but the head in active stance, "
            "nowhere in the other stances. "
            "Of what comes through, an arm or leg takes half, rounded down, but at least 1. "
            "Take the body type modifier from that: 0 with BODY 2, 1 with 3 or 4, 2 with 5 to 7, 3 with 8 or 9, "
            "4 with 10; "
            "at least 1 is left. "
            "A head takes double in the end. "
            "All wounds of a combatant together are light up to 4, serious up to 8, critical up to 12, mortal from 13. "
            "That puts nobody out of action: the game master says who is."
        ),
    ),
)
