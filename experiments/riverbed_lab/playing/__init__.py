"""Who plays whom and what becomes a row: a finished run is known by the sources in this folder."""
