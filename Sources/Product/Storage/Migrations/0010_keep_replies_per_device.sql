-- why: two devices of a person may choose the same batch id, and what one may send the other may not: each has its own replies.

ALTER TABLE upload_batches DROP CONSTRAINT upload_batches_pkey, ADD PRIMARY KEY (person_id, client_id, batch_id);
