/** Whether a statement is of a worker in the background, so no request caused it. */
export const isOfWorker = (name: string): boolean =>
  /^(?:clean-up|kernel\/outbox|organizations\/domain-looks|delivery\/(?:edge-feed|rollouts))\//.test(name);

/** Whether a statement is of a request, apart from leases of rate limits, which only some requests happen to take. */
export const isOfRequest = (name: string): boolean => !isOfWorker(name) && !name.startsWith('kernel/rate-limits/');
