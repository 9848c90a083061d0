// Questions on ten articles of the shipped knowledge base, each worded several ways, as people type them.

export const GAP_QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  'password-reset': [
    'How do I reset my password?',
    'password reset link has expired',
    'I forgot my password, where can I reset it',
    'Reset of the Windows password from home?',
  ],
  'vpn-setup': [
    'How do I set up the VPN on my laptop?',
    'VPN client does not connect',
    'The VPN says error NG-310 when I connect',
    'Which VPN profile do I choose?',
  ],
  parking: [
    'Where can I park my car at the office?',
    'Is there a parking space for visitors?',
    'parking permit for the Dublin garage',
    'How do I apply for a parking permit?',
  ],
  'expense-claims': [
    'How do I claim travel expenses?',
    'expense claim rejected, what now?',
    'Until when must I hand in an expense claim?',
    'Receipt lost, can I still claim the expenses?',
  ],
  'parental-leave': [
    'How much parental leave do fathers get?',
    'When must I announce parental leave?',
    'Can I split my parental leave in two parts?',
  ],
  'meeting-rooms': [
    'How do I book a meeting room?',
    'The meeting room screen shows the wrong booking',
    'Can I cancel a meeting room booking for someone else?',
    'book meeting room for 20 people',
  ],
  printing: [
    'The printer on floor 2 has no toner',
    'How do I add a printer?',
    'printer prints blank pages',
    'Who refills printer toner and paper?',
  ],
  'shared-mailboxes': [
    'I need a shared mailbox for my team',
    'How can I send from the shared mailbox address?',
    'Add a colleague to our shared mailbox',
  ],
  'sick-leave': [
    'I am ill today, whom do I tell?',
    "When do I need a doctor's note for sick leave?",
    'Sick leave during holidays, do I get the days back?',
    'report sick leave by phone or e-mail?',
  ],
  'training-budget': [
    'How big is the training budget per year?',
    'Does the training budget cover conferences?',
    'Can I carry over unused training budget?',
  ],
}
