import { expect, it } from 'vitest';
import { parseBlockEngineUrl } from '../../../chain/relay/block-engine-address.ts';

it.each([
  ['http://127.0.0.1:9100', { target: '127.0.0.1:9100', secure: false }],
  ['https://ny.mainnet.block-engine.jito.wtf', { target: 'ny.mainnet.block-engine.jito.wtf', secure: true }],
  ['https://engine.example:8443', { target: 'engine.example:8443', secure: true }],
  ['ny.mainnet.block-engine.jito.wtf', { target: 'ny.mainnet.block-engine.jito.wtf', secure: true }],
  ['engine.example:8443', { target: 'engine.example:8443', secure: true }],
])('%s is read as scheme and target', (text, address) => {
  expect(parseBlockEngineUrl(text)).toEqual(address);
});

it.each(['', 'ftp://engine.example', 'https://engine.example/path', 'http://user@engine.example', 'http://:80'])(
  '"%s" is refused and named',
  (text) => {
    expect(() => parseBlockEngineUrl(text)).toThrow(`"${text}" is not a block engine address`);
  },
);
