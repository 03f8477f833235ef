/*part zone-changes/open-set*/, 
