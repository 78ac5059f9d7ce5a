"""How colours are seen: contrast as WCAG measures it, and what is left of a colour for eyes that lack one kind of cone.

Contrast: Web Content Accessibility Guidelines 2.2, definitions of relative luminance and contrast ratio.
Colour blindness: Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
Deficiency", IEEE Transactions on Visualization and Computer Graphics 15(6), 2009, the tables for severity 1.0; they
hold for linear sRGB. Distance: CIE 1976 L*a*b* under D65, in which about 2.3 is just noticeable.
"""

from __future__ import annotations

from itertools import combinations

RGB = tuple[int, int, int]

DEFICIENCIES: dict[str, tuple[tuple[float, float, float], ...]] = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def rgb(colour: str) -> RGB:
    """The three bytes of `#rrggbb`."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def linear(colour: RGB) -> tuple[float, float, float]:
    """Light of a colour, each part from 0 to 1."""
    red, green, blue = (
        part / 255 / 12.92 if part / 255 <= 0.04045 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour
    )
    return red, green, blue


def luminance(colour: RGB) -> float:
    """How bright a colour is, from 0 to 1."""
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: RGB, other: RGB) -> float:
    """The contrast of two colours, from 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def seen_with(deficiency: str, colour: RGB) -> tuple[float, float, float]:
    """The light of a colour as it is seen with that deficiency; with none, as it is."""
    light = linear(colour)
    if not deficiency:
        return light
    red, green, blue = (
        min(1.0, max(0.0, sum(share * part for share, part in zip(row, light, strict=True))))
        for row in DEFICIENCIES[deficiency]
    )
    return red, green, blue


def lab(light: tuple[float, float, float]) -> tuple[float, float, float]:
    """CIE L*a*b* of linear sRGB light under D65."""
    red, green, blue = light
    x, y, z = (
        _cube_root((0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047),
        _cube_root(0.2126729 * red + 0.7151522 * green + 0.0721750 * blue),
        _cube_root((0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883),
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _cube_root(part: float) -> float:
    return float(part ** (1 / 3)) if part > (6 / 29) ** 3 else part * 841 / 108 + 4 / 29


def distance(one: RGB, other: RGB, deficiency: str = "") -> float:
    """How far apart two colours are, as seen with that deficiency."""
    first, second = (lab(seen_with(deficiency, colour)) for colour in (one, other))
    return float(sum((a - b) ** 2 for a, b in zip(first, second, strict=True)) ** 0.5)


def nearest(colours: dict[str, RGB], deficiency: str = "") -> tuple[float, str, str]:
    """The two colours that are hardest to tell apart, and how far apart they are."""
    pairs = combinations(colours, 2)
    return min((distance(colours[one], colours[other], deficiency), one, other) for one, other in pairs)
