/** Address of a sealed document at the platform's site. */
export function documentUrl(siteUrl: string, root: string): string {
  return `${siteUrl}/documents/${root}`;
}
