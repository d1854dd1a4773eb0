import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import { Keypair } from '@solana/web3.js';
import { SearcherServiceService, type SearcherServiceServer } from 'jito-ts/dist/gen/block-engine/searcher.js';

/** A block engine that names its tip accounts and does nothing else. */
export async function serveTipAccounts() {
  const accounts = [Keypair.generate().publicKey.toBase58()];
  const refuse = (_call: unknown, answer: (error: { code: status }) => void) => answer({ code: status.UNIMPLEMENTED });
  const service: SearcherServiceServer = {
    subscribeBundleResults: (call) => void call.end(),
    sendBundle: refuse,
    getNextScheduledLeader: refuse,
    getConnectedLeaders: refuse,
    getConnectedLeadersRegioned: refuse,
    getRegions: refuse,
    getTipAccounts: (_call, answer) => answer(null, { accounts }),
  };
  const server = new Server();
  server.addService(SearcherServiceService, service);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { url: `http://127.0.0.1:${port}`, close: () => server.forceShutdown() };
}
