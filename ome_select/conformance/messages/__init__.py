"""All the texts that OME can say about selection, as a grammar that is made by provoking each of them."""
