import type { Token } from '../api/types.ts';

/** Hosts of services, with subdomains. Other hosts do not get the service's name. */
const SERVICES = {
  twitter: { name: 'X', hosts: ['x.com', 'twitter.com'] },
  telegram: { name: 'Telegram', hosts: ['t.me', 'telegram.me', 'telegram.dog'] },
} as const;

export type NamedLink = readonly [name: string, url: string];

/** Names the links; one to another host is a website. */
export function namedLinks({ website, twitter, telegram }: Token['links']): NamedLink[] {
  return [
    ...(website === undefined ? [] : [['Website', website] as const]),
    ...(twitter === undefined ? [] : [[nameOf('twitter', twitter), twitter] as const]),
    ...(telegram === undefined ? [] : [[nameOf('telegram', telegram), telegram] as const]),
  ];
}

function nameOf(field: keyof typeof SERVICES, url: string): string {
  const { name, hosts } = SERVICES[field];
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return hosts.some((own) => host === own || host.endsWith(`.${own}`)) ? name : 'Website';
}
