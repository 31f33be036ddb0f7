"""One small module for each kind of fact; `registry.kinds` finds them all."""
