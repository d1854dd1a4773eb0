import swagger from '@fastify/swagger';
import type { ApiInstance } from '../instance.ts';

/**
 * `openapi/document.ts` adapts it to the request.
 *
 * @see https://github.com/fastify/fastify-swagger
 */
export async function registerOpenApi(app: ApiInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Token launch and market data',
        version: '1.0.0',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
        description:
          'Launch tokens on Solana without giving up custody, read market data, claim creator fees. No key, no signup: a launch is authorised by the signature on its payment.',
      },
      tags: [
        { name: 'Data', description: 'Tokens, launches, pairs, rewards and revenue' },
        { name: 'Launch', description: 'Create tokens' },
        { name: 'Fees', description: 'Read and claim creator fees' },
      ],
    },
    hideUntagged: true,
    // As parameters carry theirs.
    transform: ({ schema, url, route }) => ({
      schema: route.config?.feature ? { ...schema, 'x-feature': route.config.feature } : schema,
      url,
    }),
    convertConstToEnum: false,
  });
}
