BEGIN TRANSACTION;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO "meta" VALUES('schema','1');
CREATE TABLE trials (
    run TEXT NOT NULL, rule TEXT NOT NULL, family TEXT NOT NULL, traits TEXT NOT NULL,
    tries INTEGER NOT NULL, wins INTEGER NOT NULL, credit REAL NOT NULL, gain REAL NOT NULL,
    cpu_seconds REAL NOT NULL, PRIMARY KEY (run, rule)
);
INSERT INTO "trials" VALUES('first 2026-11-22T10:00:00+00:00','seen_set','lists','["nested loop", "text"]',5,2,1.25,3.00000000000000044408e-01,12.5);
INSERT INTO "trials" VALUES('first 2026-11-22T10:00:00+00:00','tune_tpe','','[]',1,0,0.0,0.0,0.0);
INSERT INTO "trials" VALUES('second 2026-11-23T10:00:00+00:00','seen_set','','[]',3,1,0.0,0.5,0.0);
COMMIT;
