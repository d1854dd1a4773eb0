/** Words of a creator: shown as they are, in a direction of their own, so that nothing around them is turned. */
export function CreatorText({ children }: { readonly children: string }) {
  return <bdi className="creator-text">{children}</bdi>;
}
