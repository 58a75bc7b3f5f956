"""ARIA's maps (`map_file`) and robot parameter files (`param_file`), and Saphira's worlds (`saphira_wld`)."""
