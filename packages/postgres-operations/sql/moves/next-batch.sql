FETCH ${count} FROM batches
