import { defaultSettings, type FieldName, fieldNames, fieldOperators, takesTarget } from '@zonewright/engine';
import { expect } from 'chai';

import { conditionFields } from '../../../src/zones/conditions/fields.ts';
import { allSettings, defaultZoneSettings } from '../../../src/zones/settings/settings.ts';

describe('the tables of the engine', () => {
  it('have the keys of zone settings', () => {
    expect(Object.keys(defaultSettings).toSorted()).to.deep.equal(Object.keys(allSettings).toSorted());
  });

  it('have the defaults of a new zone', () => {
    const withValue = Object.entries(defaultSettings).filter(([, value]) => value !== null);
    expect(Object.fromEntries(withValue)).to.deep.equal(defaultZoneSettings);
  });

  it('have the operators and targets that conditions accept', () => {
    for (const field of fieldNames('requestAndAnswer') as readonly FieldName[]) {
      const { values, target } = conditionFields[field];
      expect(Object.keys(values).toSorted(), field).to.deep.equal([...fieldOperators[field]].toSorted());
      expect(target !== undefined, field).to.equal(takesTarget(field));
    }
  });
});
