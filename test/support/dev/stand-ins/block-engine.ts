// Stands in for the block engine: a port that can be connected to.
import { option, servePart } from './http-part.ts';

servePart(Number(option('port')), (_request, response) => {
  response.end();
});
