"""Pictures, as the dialects that have them need: files, sizes, turns, colours."""
