import { describeKills } from './support/kills.ts';

describe('an edge that is killed a few times', () => describeKills(3));
