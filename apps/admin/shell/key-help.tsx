/** The list of keys, opened by "?". */
import { Modal } from '#apps/shared/ui/modal.tsx';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';

export function KeyHelp({ onClose }: { onClose: () => void }) {
  return (
    <Modal title="Tasti" onClose={onClose}>
      <Facts>
        <Fact name="Ctrl K">Cerca in tutto l’ufficio</Fact>
        <Fact name="/">
          Cerca: se la pagina ha un suo campo resta lì, altrimenti in tutto l’ufficio
        </Fact>
        <Fact name="↓ ↑">Scorri i risultati e le righe di un elenco</Fact>
        <Fact name="Invio">Apri quello che è scelto</Fact>
        <Fact name="Esc">Chiudi una finestra, svuota il campo</Fact>
        <Fact name="?">Mostra questi tasti</Fact>
      </Facts>
    </Modal>
  );
}
