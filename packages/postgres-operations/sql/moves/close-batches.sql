CLOSE batches
