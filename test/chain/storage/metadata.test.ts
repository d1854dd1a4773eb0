import { describe, expect, it } from 'vitest';
import { buildMetadata } from '../../../chain/storage/metadata.ts';

const input = {
  name: 'Slip "Way" ✓',
  symbol: 'SLIP',
  links: { website: 'https://slipway.example', twitter: 'https://x.com/slip', telegram: 'https://t.me/slip' },
  logoUri: 'https://store.example/logo.png',
  logoType: 'image/png',
} as const;

describe('metadata', () => {
  it('is exactly these bytes, so its address can be sealed into a quote', () => {
    expect(Buffer.from(buildMetadata(input)).toString()).toBe(
      '{"name":"Slip \\"Way\\" ✓","symbol":"SLIP","description":"Slip \\"Way\\" ✓ (SLIP)",' +
        '"image":"https://store.example/logo.png","external_url":"https://slipway.example",' +
        '"extensions":{"website":"https://slipway.example","twitter":"https://x.com/slip","telegram":"https://t.me/slip"},' +
        '"properties":{"files":[{"uri":"https://store.example/logo.png","type":"image/png"}],"category":"image"}}',
    );
  });

  it('does not depend on the order in which the links were given', () => {
    const { website, twitter, telegram } = input.links;
    expect(buildMetadata({ ...input, links: { telegram, twitter, website } })).toEqual(buildMetadata(input));
  });

  it('leaves out links that were not given', () => {
    const bytes = buildMetadata({ ...input, links: { website: 'https://slipway.example' } });
    expect(JSON.parse(Buffer.from(bytes).toString())).toMatchObject({
      extensions: { website: 'https://slipway.example' },
    });
    expect(Buffer.from(bytes).toString()).not.toMatch(/twitter|telegram/);
  });
});
