/** Saves a file to the person's computer. */
export function saveFile(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser reads the address after this task, so it is freed later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** A file name that every system accepts. */
export function fileName(chart: string, ending: string): string {
  const plain = chart
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .replaceAll(/[^\w-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .toLowerCase()
    .slice(0, 80);
  return `${plain || 'pianta'}.${ending}`;
}
