/** Saves the queue as a file: shared with another app where possible, else downloaded. */
import { phone } from '#apps/scanner/scan/phone.ts';

export async function saveQueue(): Promise<void> {
  const { name, blob } = await phone.exportQueue();
  const file = new File([blob], name, { type: blob.type });
  if (navigator.canShare?.({ files: [file] })) {
    try {
      return await navigator.share({ files: [file], title: name });
    } catch (error) {
      // After a cancelled share nothing is done; any other failure leads to the download.
      if (error instanceof DOMException && error.name === 'AbortError') return;
    }
  }
  const link = Object.assign(document.createElement('a'), {
    href: URL.createObjectURL(blob),
    download: name,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
