"""Pictures of results: from a result folder (result.py, fields.py) to a PNG file (drawing.py, command.py)."""
