import { describeKills } from './support/kills.ts';

describe('an edge that is killed again and again', () => describeKills(20));
