// Stands in for the block engine: its gRPC port can be connected to, and its admin port answers.
import { option, servePart } from './http-part.ts';

for (const port of ['port', 'admin-port']) {
  servePart(Number(option(port)), (_request, response) => {
    response.end();
  });
}
