INSERT INTO bench_answers VALUES ($1, $2, $3, $4)
