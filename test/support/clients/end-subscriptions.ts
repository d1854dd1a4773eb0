import type { Connection } from '@solana/web3.js';

/** Ends a connection's websocket before its node ends. web3.js has no public way to, and looks for a node that is gone for ever. */
export function endSubscriptions(connection: Connection): void {
  const socket: unknown = Reflect.get(connection, '_rpcWebSocket');
  if (Reflect.get(connection, '_rpcWebSocketConnected') === true && isClosable(socket)) socket.close();
}

function isClosable(socket: unknown): socket is { close(): void } {
  return typeof socket === 'object' && socket !== null && 'close' in socket && typeof socket.close === 'function';
}
