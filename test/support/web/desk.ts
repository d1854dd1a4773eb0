import Type from 'typebox';
import { Value } from 'typebox/value';
import { isRecord } from '../../../client/http/shape.ts';
import type { EngineFault } from '../../../dev/desk/engine-faults.ts';

const HoldingsSchema = Type.Object({ sol: Type.String() });

/** What tests do at a stack's desk beside what the site does there. */
export function deskOf(siteUrl: string) {
  const post = async (path: string, body?: object): Promise<unknown> => {
    const json = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${siteUrl}/local/${path}`, { method: 'POST', ...json });
    const answer: unknown = await response.json();
    if (isRecord(answer) && response.ok) return answer['data'];
    throw new Error(`the desk answered ${path} with ${response.status}: ${JSON.stringify(answer)}`);
  };
  return {
    setEngine: (fault: EngineFault['fault']) => post('block-engine', { fault }),
    fund: (wallet: string, sol: string) => post('fund', { wallet, sol }),
    expireBlockhashes: () => post('expire-blockhashes'),
    /** SOL of a wallet, a plain decimal. */
    sol: async (wallet: string) => Value.Parse(HoldingsSchema, await post('holdings', { wallet })).sol,
  };
}
