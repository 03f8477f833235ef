import { createRequire } from 'node:module';
import { expect } from 'chai';
import { aVerifiedUser } from '../support/arrange.ts';
import { generatorsFolder, installGenerators } from '../support/generators.ts';
import { type MemoryService, openMemoryService } from '../support/memory-service.ts';

/** The relevant part of a collection (Postman collection format 2.1). */
interface Entry {
  readonly name: string;
  /** Folders have items. */
  readonly item?: readonly Entry[];
  readonly request?: { readonly url: { readonly variable: readonly { readonly key: string; value: string }[] } };
}

interface Collection {
  readonly item: readonly Entry[];
}

interface Document {
  readonly paths: Readonly<Record<string, unknown>>;
}

interface Converter {
  readonly convert: (
    input: { readonly type: 'string'; readonly data: string },
    options: Readonly<Record<string, unknown>>,
    done: (failure: unknown, made: { readonly output: readonly { readonly data: Collection }[] }) => void,
  ) => void;
}

interface Newman {
  readonly run: (
    options: {
      readonly collection: Collection;
      readonly envVar: readonly { readonly key: string; readonly value: string }[];
    },
    done: (failure: unknown, summary: { readonly run: { readonly executions: readonly Execution[] } }) => void,
  ) => void;
}

interface Execution {
  readonly item: { readonly name: string };
  readonly response?: { readonly code: number };
}

/** Requests by name, in execution order; the variable receives the id in the response. */
const tour: readonly (readonly [name: string, status: number, keptAs?: string])[] = [
  ['Create a zone.', 201, 'zone'],
  ['List the zones you can access.', 200],
  ['Add a configuration rule to a zone.', 201, 'rule'],
  ['Change a configuration rule.', 200],
  ['Delete a configuration rule.', 204],
  ['Delete a zone and all its contents.', 204],
];

const requestsIn = (entries: readonly Entry[]): readonly Entry[] =>
  entries.flatMap((entry) => (entry.item === undefined ? [entry] : requestsIn(entry.item)));

/** Completes a request as a user would: with ids of earlier objects, and a script that stores its own. */
function completed({ name, request }: Entry, keptAs: string | undefined): Entry {
  const idOf = { zoneId: '{{zone}}', id: name.includes('zone and') ? '{{zone}}' : '{{rule}}' };
  for (const variable of request?.url.variable ?? []) variable.value = idOf[variable.key as keyof typeof idOf];
  const exec = keptAs === undefined ? [] : [`pm.environment.set('${keptAs}', pm.response.json().id);`];
  return { name, request, event: [{ listen: 'test', script: { exec } }] } as Entry;
}

describe('a Postman collection generated from the OpenAPI document', function () {
  this.timeout(120_000);
  let service: MemoryService;

  before(async () => {
    await installGenerators();
    service = await openMemoryService();
  });
  after(() => service.close());

  it('is executed by newman, unmodified except for ids', async () => {
    const require = createRequire(new URL('package.json', generatorsFolder));
    const { convert } = require('openapi-to-postmanv2') as Converter;
    const { run } = require('newman') as Newman;
    const envVar = [{ key: 'bearerToken', value: (await aVerifiedUser(service)).token }];
    const { paths, ...document } = (await (await fetch(`${service.url}/openapi.json`)).json()) as Document;
    // Converting all hundred operations would take many seconds.
    const shown = Object.entries(paths).filter(([path]) =>
      /^\/zones(\/\{id\}|\/\{zoneId\}\/configuration-rules.*)?$/.test(path),
    );
    const data = JSON.stringify({ ...document, paths: Object.fromEntries(shown) });
    const options = { requestParametersResolution: 'Example', enableOptionalParameters: false };
    const made = await new Promise<Collection>((resolve, reject) => {
      convert({ type: 'string', data }, options, (failure, { output: [first] }) =>
        first === undefined ? reject(failure) : resolve(first.data),
      );
    });
    const requests = requestsIn(made.item);
    const item = tour.map(([name, , keptAs]) =>
      completed(requests.find((each) => each.name === name) ?? expect.fail(`no ${name}`), keptAs),
    );
    const executions = await new Promise<readonly Execution[]>((resolve, reject) => {
      run({ collection: { ...made, item }, envVar }, (failure, summary) =>
        failure === null ? resolve(summary.run.executions) : reject(failure),
      );
    });
    expect(executions.map(({ item: { name }, response }) => [name, response?.code])).to.deep.equal(
      tour.map(([name, status]) => [name, status]),
    );
  });
});
