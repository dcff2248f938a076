/** Shares an address by the phone's share sheet, else copies it. */

/** True: the address was copied, and the page should say so. */
export async function shareLink(link: {
  title: string;
  text: string;
  url: string;
}): Promise<boolean> {
  if (navigator.share) {
    // Closing the share sheet rejects, which is not an error.
    await navigator.share(link).catch(() => {});
    return false;
  }
  // The clipboard exists only on https, and may refuse.
  const copied = await navigator.clipboard?.writeText(link.url).then(
    () => true,
    () => false,
  );
  if (copied) return true;
  prompt('Copia il link', link.url);
  return false;
}
