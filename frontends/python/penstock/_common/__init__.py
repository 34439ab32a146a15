"""What dialects have in common and no dialect has a rule about."""
