"""The knowledge graph: what runs found out, as entities and relations."""
