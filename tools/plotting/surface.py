"""The surface of a body of tetrahedra, and views of it."""

import numpy as np

from plotting.raster import spread

SMOOTH = np.cos(np.radians(35))  # triangles with a smaller angle between them are lit as one curved surface
LONG = 1.6  # times the second principal length: longer bodies lie across the picture
ASIDE, ABOVE = 28.0, 24.0  # degrees of obliqueness, for these
COMPACT = (-55.0, 28.0)  # azimuth and elevation [degrees] for the others
NEARLY_ALONG = np.cos(np.radians(12))  # directions this close to a coordinate axis count as along it


class Surface:
    """The boundary triangles of `fields`: corners, cells behind, outward unit normals. `open`: visible from both sides,
    for parts of it."""

    def __init__(self, fields, nodes=None):
        """nodes: rows of three nodes per triangle, which select a part of the surface."""
        self.triangles, self.cells = fields.boundary()
        self.open = nodes is not None
        if self.open:
            both = np.sort(np.concatenate([self.triangles, nodes]), axis=1)
            number = np.unique(both, axis=0, return_inverse=True)[1].ravel()
            kept = np.isin(number[: len(self.triangles)], number[len(self.triangles) :])
            self.triangles, self.cells = self.triangles[kept], self.cells[kept]
        self.points = fields.points
        a, b, c = (self.points[corner] for corner in self.triangles.T)
        normals = np.cross(b - a, c - a)
        twice_area = np.linalg.norm(normals, axis=1, keepdims=True)
        self.normals = normals / np.where(twice_area > 0, twice_area, 1)
        self.areas = 0.5 * twice_area[:, 0]
        self.centres = (a + b + c) / 3

    def corner_normals(self):
        """Mean normal at each corner of each triangle, over the triangles around it up to the next edge."""
        nodes = self.triangles.ravel()
        order = np.argsort(nodes, kind="stable")
        counts = np.bincount(nodes, minlength=len(self.points))
        first = np.cumsum(counts) - counts
        around = counts[nodes]
        places, of = spread(first[nodes], around)
        others = order[places]
        own, other = self.normals[of // 3], self.normals[others // 3]
        weight = self.areas[others // 3] * (np.einsum("ij,ij->i", own, other) > SMOOTH)
        total = np.stack([np.bincount(of, weight * part, len(nodes)) for part in other.T], axis=1)
        length = np.linalg.norm(total, axis=1, keepdims=True)
        return (total / np.where(length > 0, length, 1)).reshape(-1, 3, 3)


def toward_viewer(azimuth, elevation):
    """Unit vector to the viewer; angles in degrees, from the x axis and above the x-y plane."""
    azimuth, elevation = np.radians(azimuth), np.radians(elevation)
    return np.array([np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)])


def looking(toward, up):
    """Rows: right, up and towards the viewer."""
    right = np.cross(up, toward)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(toward, right), toward])


def view(azimuth, elevation):
    """The directions right, up and to the viewer, with z upwards, or y in a view from the poles."""
    steep = abs(elevation) > 89.9
    return looking(toward_viewer(azimuth, elevation), np.array([0.0, 1.0, 0.0] if steep else [0.0, 0.0, 1.0]))


def good_view(surface):
    """The directions of a view with the body's long axis across, z upwards (y, for a body along z), slightly
    oblique."""
    middle = np.average(surface.centres, axis=0, weights=surface.areas)
    arms = surface.centres - middle
    lengths, axes = np.linalg.eigh((surface.areas[:, None] * arms).T @ arms)
    if lengths[2] < LONG**2 * lengths[1]:
        return view(*COMPACT)
    across = axes[:, 2]
    main = np.argmax(np.abs(across))
    if abs(across[main]) > NEARLY_ALONG:
        across = np.eye(3)[main]
    across = across * np.sign(across[main])
    up = np.eye(3)[1 if main == 2 else 2]
    across = across - across @ up * up
    across /= np.linalg.norm(across)
    square_on = np.cross(across, up)
    aside, above = np.radians(ASIDE), np.radians(ABOVE)
    level = np.cos(aside) * square_on + np.sin(aside) * across
    return looking(np.cos(above) * level + np.sin(above) * up, up)
