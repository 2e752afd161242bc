"""Recording a corpus: what is played, by whom, part by part."""
