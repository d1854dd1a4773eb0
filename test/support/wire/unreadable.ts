const JSON_TYPE = { 'content-type': 'application/json' };

/** Bodies that no endpoint takes, each with the type that it is sent as. */
export const UNREADABLE: readonly [what: string, sent: { payload: string; headers: Record<string, string> }][] = [
  ['something that is no JSON', { payload: '{"signedQuote":', headers: JSON_TYPE }],
  ['a form', { payload: 'signedQuote=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
  ['too much', { payload: JSON.stringify({ logo: 'x'.repeat(2_000_000) }), headers: JSON_TYPE }],
  ['too little', { payload: '{}', headers: JSON_TYPE }],
];
