import { managedIgnoredUrlParams, staticExtensions } from '@zonewright/engine';
import { expect } from 'chai';
import { ZoneSettings } from '../../../src/zones/settings/settings.ts';

describe('staticExtensions', () => {
  it('are written like the extension of a request path: in lower case, without the dot', () => {
    expect([...staticExtensions].filter((extension) => !/^[a-z0-9]{1,16}$/.test(extension))).to.deep.equal([]);
  });

  it('leave documents to the dynamic class', () => {
    expect(['css', 'js', 'wasm', 'mp3', 'bmp'].every((extension) => staticExtensions.has(extension))).to.equal(true);
    expect(['html', 'json', 'xml', 'txt', ''].some((extension) => staticExtensions.has(extension))).to.equal(false);
    expect(staticExtensions.size).to.equal(31);
  });
});

describe('managedIgnoredUrlParams', () => {
  it('are valid as ignored parameters of a zone', () => {
    const cachingIgnoredUrlParams = [...managedIgnoredUrlParams];
    expect(ZoneSettings.parse({ cachingIgnoredUrlParams })).to.deep.include({ cachingIgnoredUrlParams });
    expect(managedIgnoredUrlParams).to.have.length(20);
  });
});
