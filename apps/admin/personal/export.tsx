/** Downloads the copy of a person's data, after the user has confirmed their identity. */
import { exportPerson } from '#server/contract/personal.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { FailureNotice } from '#apps/admin/kit/page/notice.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';

export function ExportPerson({ email }: { email: string }) {
  const act = useAct();
  const { busy, failure, submit } = useSubmit(async () => {
    const file = (await act(exportPerson, { body: { email } })) as Blob;
    keepFile(file, `dati-personali-${new Date().toISOString().slice(0, 10)}.zip`);
  });
  return (
    <form onSubmit={submit}>
      <Button type="submit" icon="download" busy={busy} label="Scarica una copia (ZIP)" />
      <FailureNotice text={failure} />
    </form>
  );
}

function keepFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has saved the file by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
