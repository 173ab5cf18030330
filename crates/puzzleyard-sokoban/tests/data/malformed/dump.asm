level_01        db 16h, 0Bh, 0A2h
