import { BackendReference } from '@zonewright/core';
import { expect } from 'chai';
import { okAsync } from 'neverthrow';
import { storedOwner } from './arrangements.ts';
import { aBackend } from './builders.ts';
import { freshStorage } from './fresh.ts';
import { hold, waits } from './gate.ts';
import { done } from './results.ts';
import type { OpenStorage } from './storage.ts';

/** Every adapter of the port must pass this unchanged. */
export function backendsContract(adapter: string, open: OpenStorage): void {
  describe(`Backends contract: ${adapter}`, () => {
    const storage = freshStorage(open);
    const isPresent = (
      organization: Parameters<ReturnType<typeof storage>['addBackend']>[0],
      backend: BackendReference,
    ) => done(storage(), ({ backends }) => backends.lockIfPresent(organization, backend));

    for (const type of ['origin_server', 'load_balancer'] as const) {
      it(`finds a backend of the kind ${type} in its own organization only`, async () => {
        const [owner, other] = [await storedOwner(storage()), await storedOwner(storage())];
        const backend = aBackend(type);
        await storage().addBackend(owner.organizationId, backend);
        expect(await isPresent(owner.organizationId, backend)).to.equal(true);
        expect(await isPresent(other.organizationId, backend)).to.equal(false);
        expect(await isPresent(owner.organizationId, aBackend(type))).to.equal(false);
      });

      it(`makes the removal of a backend of the kind ${type} wait until the unit ends`, async () => {
        const { organizationId } = await storedOwner(storage());
        const backend = aBackend(type);
        await storage().addBackend(organizationId, backend);
        const held = await hold(
          storage(),
          ({ backends }) => backends.lockIfPresent(organizationId, backend),
          () => okAsync(),
        );
        const removal = storage().removeBackend(organizationId, backend);
        expect(await waits(storage(), removal)).to.equal(true);
        await held.release();
        await removal;
        expect(await isPresent(organizationId, backend)).to.equal(false);
      });
    }

    it('takes origin for another word for origin_server, and never one kind for the other', async () => {
      const { organizationId } = await storedOwner(storage());
      const { id } = aBackend();
      await storage().addBackend(organizationId, BackendReference.parse({ type: 'origin_server', id }));
      expect(await isPresent(organizationId, BackendReference.parse({ type: 'origin', id }))).to.equal(true);
      expect(await isPresent(organizationId, BackendReference.parse({ type: 'load_balancer', id }))).to.equal(false);
    });
  });
}
