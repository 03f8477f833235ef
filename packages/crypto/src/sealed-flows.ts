import { flowLifetimeSeconds, type SealedFlows, type SecretBox, type SignInFlow } from '@zonewright/core';

const context = 'sign-in-flow';

interface Sealed {
  readonly flow: SignInFlow;
  /** Milliseconds since 1970. */
  readonly sealedAt: number;
}

/** Flows as authenticated ciphertexts, which are valid in a cookie. */
export const sealedFlows = (box: SecretBox, now: () => Date = () => new Date()): SealedFlows => ({
  seal: (flow) => box.seal(JSON.stringify({ flow, sealedAt: now().getTime() } satisfies Sealed), context),
  open: (text) => {
    const sealed = opened(box, text);
    const age = sealed === undefined ? Number.POSITIVE_INFINITY : now().getTime() - sealed.sealedAt;
    return age < flowLifetimeSeconds * 1000 ? sealed?.flow : undefined;
  },
});

function opened(box: SecretBox, text: string): Sealed | undefined {
  try {
    // It is what we sealed, or it does not open.
    return JSON.parse(box.open(text, context)) as Sealed;
  } catch {
    return undefined;
  }
}
