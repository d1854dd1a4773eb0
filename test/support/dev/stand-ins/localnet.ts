// Stands in for the local chain: answers every JSON-RPC request with "ok".
import { option, servePart } from './http-part.ts';

servePart(Number(option('port')), (_request, response) => {
  response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: 'ok' }));
});
