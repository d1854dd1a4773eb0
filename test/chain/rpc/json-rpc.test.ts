import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { createEndpoint, RpcAnswerError, RpcUnavailableError } from '../../../chain/rpc/json-rpc.ts';
import { type Script, startScriptedNode } from '../../support/rpc/scripted-node.ts';

const Anything = Compile(Type.Unknown());
const Whole = Compile(Type.Integer());

async function callOf(script: Script, shape: typeof Whole | typeof Anything = Anything): Promise<unknown> {
  await using node = await startScriptedNode(script);
  const endpoint = createEndpoint({ url: `${node.url}/?api-key=secret`, index: 0, timeoutMs: 300, fetch });
  return await endpoint.call('getSomething', [], shape).then(
    (value) => ({ value }),
    (error: unknown) => error,
  );
}

describe('an endpoint', () => {
  it('answers the result', async () => {
    expect(await callOf(() => ({ result: 7 }), Whole)).toEqual({ value: 7 });
  });

  it('keeps integers beyond 2^53 exact', async () => {
    const raw =
      '{"result":{"lamports":18446744073709551615,"small":12,"price":0.1234567890123456789,"text":"18446744073709551615"}}';
    expect(await callOf(() => ({ raw }))).toEqual({
      value: { lamports: 18446744073709551615n, small: 12, price: 0.1234567890123456789, text: '18446744073709551615' },
    });
  });

  it('hands on an error answer with its code and data', async () => {
    const error = await callOf(() => ({
      error: { code: -32_002, message: 'simulation failed', data: { logs: [] } },
      status: 400,
    }));
    expect(error).toBeInstanceOf(RpcAnswerError);
    expect(error).toMatchObject({
      code: -32_002,
      data: { logs: [] },
      message: expect.stringContaining('getSomething') as string,
    });
  });

  it.each<[string, Script, string]>([
    ['is silent', () => 'silence', 'did not answer getSomething'],
    ['answers an HTTP error', () => ({ raw: 'bad gateway', status: 502 }), 'HTTP 502: bad gateway'],
    [
      'turns requests away',
      () => ({ error: { code: 429, message: 'too many requests' }, status: 429 }),
      'HTTP 429: {"jsonrpc":"2.0"',
    ],
    ['limits requests with HTTP 200', () => ({ error: { code: 429, message: 'too many requests' } }), 'too many'],
    ['limits them by a code of its own', () => ({ error: { code: -32_429, message: 'rate limited' } }), 'rate limited'],
    ['is behind', () => ({ error: { code: -32_005, message: 'Node is behind by 42 slots' } }), 'behind by 42 slots'],
    ['answers HTML', () => ({ raw: '<html>' }), 'did not answer JSON'],
    ['answers another shape', () => ({ result: 'seven' }), 'unexpected shape'],
    ['answers no result', () => ({}), 'unexpected shape'],
  ])('that %s is unavailable, and the error says so without the key', async (_name, script, text) => {
    const error = await callOf(script, Whole);
    expect(error).toBeInstanceOf(RpcUnavailableError);
    expect(String(error)).toContain(text);
    expect(String(error)).not.toContain('secret');
  });
});
