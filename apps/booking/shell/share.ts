/** Hands an address on: with the phone's own share sheet, else by the clipboard. */

/** True: the address is in the clipboard, and the page should say so. */
export async function shareLink(link: {
  title: string;
  text: string;
  url: string;
}): Promise<boolean> {
  if (navigator.share) {
    // Closing the share sheet is no error.
    await navigator.share(link).catch(() => {});
    return false;
  }
  // The clipboard exists only on secure addresses.
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(link.url);
    return true;
  }
  prompt('Copia il link', link.url);
  return false;
}
