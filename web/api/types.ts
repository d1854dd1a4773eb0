import type { Answer } from '../../client/index.ts';

export type Token = Answer<'GET /tokens'>['tokens'][number];

export type OneToken = Answer<'GET /tokens/{mint}'>;

export type Launch = NonNullable<OneToken['launch']>;

export type Pair = Answer<'GET /pairs'>['pairs'][number];

export type Stats = Answer<'GET /stats'>;

export type Fees = Answer<'GET /tokens/{mint}/fees'>;
