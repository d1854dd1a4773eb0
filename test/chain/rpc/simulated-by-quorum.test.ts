import { expect, it } from 'vitest';
import { RpcUnavailableError } from '../../../chain/rpc/json-rpc.ts';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { startScriptedNode } from '../../support/rpc/scripted-node.ts';

const WIRE = new Uint8Array(100);

function startSimulator(err: unknown) {
  const value = { err, logs: [], unitsConsumed: 1 };
  return startScriptedNode(() => ({ result: { context: { slot: 1 }, value } }));
}

it('a transaction that one endpoint alone says would succeed is not believed where a quorum decides', async () => {
  const failure = { InstructionError: [0, { Custom: 1 }] };
  await using liar = await startSimulator(null);
  await using one = await startSimulator(failure);
  await using other = await startSimulator(failure);
  const ofThree = createRpc({ endpoints: [liar.url, one.url, other.url] });
  const options = { verifySignatures: false };
  expect(await ofThree.simulateTransaction(WIRE, options)).toMatchObject({ err: null });
  expect(await ofThree.simulateTransaction(WIRE, { ...options, byQuorum: true })).toMatchObject({ err: failure });
  const ofTwo = createRpc({ endpoints: [liar.url, one.url] });
  await expect(ofTwo.simulateTransaction(WIRE, { ...options, byQuorum: true })).rejects.toThrow(RpcUnavailableError);
});
