"""Plans, seating, play and rows. A finished evaluation is identified by the sources in this folder."""
