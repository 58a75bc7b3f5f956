"""Pictures as worlds, and ROS maps: `bitmap` is the entry."""
